/** The time of the fastest of several runs, which load on the machine disturbs least. */
function fastest(run: () => unknown): number {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** How many times longer `run` takes for 64 times the text: about 64 if its time is linear. */
export function growth(run: (text: string) => unknown, part: string, length: number): number {
  const textOf = (size: number) => part.repeat(Math.floor(size / part.length));
  const [small, large] = [textOf(length / 64), textOf(length)];
  run(small);
  return fastest(() => run(large)) / fastest(() => run(small));
}
