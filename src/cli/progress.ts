import { SingleBar } from "cli-progress";

/** Shows progress: a bar on a terminal, lines elsewhere. */
export type Progress = {
  at(phase: string, done: number, total: number | null): void;
  /** Removes the bar, also before other output; `at` shows it again. */
  end(): void;
};

const everyMs = 5_000;
/** The width of a line without its bar. */
const labelWidth = 40;

/** Shows progress on standard error, so that standard output stays clean. */
export const createProgress = (): Progress =>
  process.stderr.isTTY ? barProgress() : lineProgress();

function barProgress(): Progress {
  const bar = new SingleBar({
    format: "{phase} [{bar}] {shown}",
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
    barsize: Math.max(5, Math.min(40, (process.stderr.columns ?? 80) - labelWidth)),
  });
  let isStarted = false;
  return {
    at(phase, done, total) {
      const amount = total === null ? String(done) : `${done} of ${total}`;
      const fields = { phase: phase.padEnd(10), shown: amount };
      const [max, value] = [Math.max(total ?? 1, 1), total === null ? 0 : done];
      if (!isStarted) bar.start(max, value, fields);
      isStarted = true;
      bar.setTotal(max);
      bar.update(value, fields);
    },
    end() {
      if (isStarted) bar.stop();
      isStarted = false;
    },
  };
}

function lineProgress(): Progress {
  let last = { phase: "", tenth: -1, at: 0 };
  return {
    at(phase, done, total) {
      const tenth = total === null || total === 0 ? -1 : Math.floor((done / total) * 10);
      const now = performance.now();
      const isNews = phase !== last.phase || tenth !== last.tenth || now - last.at > everyMs;
      if (!isNews) return;
      last = { phase, tenth, at: now };
      printStatus(total === null ? `${phase}: ${done}` : `${phase}: ${done} of ${total}`);
    },
    end() {},
  };
}

/** Writes a line to standard error. */
export const printStatus = (line: string): void => void process.stderr.write(`${line}\n`);

/** Writes a line to standard output. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);
