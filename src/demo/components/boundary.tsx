import { Component, type ReactNode } from "react";

type Props = {
  /** What fails, such as "The comments". */
  name: string;
  children: ReactNode;
};

/** A panel that fails alone: what is around it stays. */
export class Boundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <p role="alert" className="failed">
        {this.props.name} cannot be shown.{" "}
        <button type="button" className="link" onClick={() => this.setState({ hasFailed: false })}>
          Try again
        </button>
      </p>
    );
  }
}
