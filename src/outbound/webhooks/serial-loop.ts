/** Something that runs again and again while it is wanted, never twice at a time; it must not reject. */
export type Singly = { wake(): void; busy(): boolean };

/** Runs `run` one after the other for as long as `wanted`, whenever it is woken; `ended` hears each time that it rests. */
export function singly(run: () => Promise<void>, wanted: () => boolean, ended: () => void): Singly {
  let running = false;
  const loop = async () => {
    while (wanted()) await run();
    running = false;
    ended();
  };
  return {
    busy: () => running || wanted(),
    wake() {
      if (running || !wanted()) return;
      running = true;
      void loop();
    },
  };
}
