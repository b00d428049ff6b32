/** What a workspace has in a cache: its bytes, and its keys, the least recently used first. */
type Held = { bytes: number; sizes: Map<string, number> };

/** The shares of workspaces in a cache. One over its share makes space for the others. */
export class WorkspaceShares {
  readonly #share: number;
  readonly #held = new Map<bigint, Held>();
  /** The workspaces with more than their share. They are few: shares are large. */
  readonly #over = new Set<bigint>();

  constructor(share: number) {
    this.#share = share;
  }

  /** Counts an entry; its key must be new. */
  add(workspaceId: bigint, key: string, size: number): void {
    const held = this.#held.get(workspaceId) ?? { bytes: 0, sizes: new Map<string, number>() };
    this.#held.set(workspaceId, held);
    held.sizes.set(key, size);
    held.bytes += size;
    if (held.bytes > this.#share) this.#over.add(workspaceId);
  }

  /** Notes that an entry was used. */
  use(workspaceId: bigint, key: string): void {
    const sizes = this.#held.get(workspaceId)?.sizes;
    const size = sizes?.get(key);
    if (sizes === undefined || size === undefined) return;
    sizes.delete(key);
    sizes.set(key, size);
  }

  remove(workspaceId: bigint, key: string): void {
    const held = this.#held.get(workspaceId);
    const size = held?.sizes.get(key);
    if (held === undefined || size === undefined) return;
    held.sizes.delete(key);
    held.bytes -= size;
    if (held.bytes <= this.#share) this.#over.delete(workspaceId);
    if (held.sizes.size === 0) this.#held.delete(workspaceId);
  }

  /** Whether a workspace has more than its share with so many bytes more. */
  isOver(workspaceId: bigint, more: number): boolean {
    return (this.#held.get(workspaceId)?.bytes ?? 0) + more > this.#share;
  }

  /** The key to remove for a new entry of a workspace: its own, or of one over its share. */
  leaving(workspaceId: bigint, more: number): string | undefined {
    const own = this.isOver(workspaceId, more) ? this.#oldestOf(workspaceId) : undefined;
    if (own !== undefined) return own;
    const [other] = this.#over;
    return other === undefined ? undefined : this.#oldestOf(other);
  }

  #oldestOf(workspaceId: bigint): string | undefined {
    const [oldest] = this.#held.get(workspaceId)?.sizes.keys() ?? [];
    return oldest;
  }
}
