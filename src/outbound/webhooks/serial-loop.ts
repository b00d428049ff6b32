/** Something that runs again and again while it is wanted, never twice at a time; it must not reject. */
export type SerialLoop = { wake(): void; busy(): boolean };

/** Runs `run` one after the other for as long as `wanted`, whenever it is woken; `ended` hears each time that it rests. */
export function serialLoop(
  run: () => Promise<void>,
  wanted: () => boolean,
  ended: () => void,
): SerialLoop {
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
