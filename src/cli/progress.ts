import { SingleBar } from "cli-progress";

/** Shows how far something is: a bar on a terminal, lines elsewhere. */
export type Progress = {
  at(phase: string, done: number, total: number | null): void;
  /** Takes the bar away, also before something else is said; `at` shows it again. */
  end(): void;
};

const everyMs = 5_000;
/** What a line has beside its bar. */
const words = 40;

/** Shows progress on standard error, where it is in nobody's way. */
export const createProgress = (): Progress =>
  process.stderr.isTTY ? barProgress() : lineProgress();

function barProgress(): Progress {
  const bar = new SingleBar({
    format: "{phase} [{bar}] {shown}",
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
    barsize: Math.max(5, Math.min(40, (process.stderr.columns ?? 80) - words)),
  });
  let started = false;
  return {
    at(phase, done, total) {
      const shown = total === null ? String(done) : `${done} of ${total}`;
      const told = { phase: phase.padEnd(10), shown };
      const [most, value] = [Math.max(total ?? 1, 1), total === null ? 0 : done];
      if (!started) bar.start(most, value, told);
      started = true;
      bar.setTotal(most);
      bar.update(value, told);
    },
    end() {
      if (started) bar.stop();
      started = false;
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
      say(total === null ? `${phase}: ${done}` : `${phase}: ${done} of ${total}`);
    },
    end() {},
  };
}

/** Says something to whoever watches. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Writes what the command was asked for. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`);
