// The worker that judges flashes, so that no frame waits. The page makes it, for the engine's worker as well: in Firefox
// a worker that makes one itself may wait for its start for ever, and with it all GIFs of the page.

/** @type {Worker | null} */
let own = null;
/** Where the verdict goes that the worker is at. @type {MessagePort | null} */
let asked = null;

/**
 * Has a GIF judged in a worker that serves as worker.js does; rejected if the worker fails.
 * @param {Worker} worker
 * @param {{module: WebAssembly.Module, bytes: Uint8Array, seen: number[], limits?: object}} job
 */
export function judgeIn(worker, job) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data === undefined ? reject(new Error("The worker cannot judge.")) : resolve(data));
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    worker.postMessage({ op: "judge", ...job }, [job.bytes.buffer]);
  });
}

/**
 * Judges for the engine's worker, one job at a time: the next one, or none, ends that before it. The port gets the
 * verdict's numbers, null for what cannot be judged, and undefined where no worker can judge.
 * @param {() => Worker} makeWorker
 * @param {{port?: MessagePort, job?: object}} message
 */
export async function judge(makeWorker, { port, job }) {
  if (!job || asked) end();
  if (!job) return;
  asked = port;
  let numbers;
  try {
    numbers = await judgeIn((own ??= makeWorker()), job);
  } catch {
    // There can be no worker, or it has failed: the answer says so.
  }
  if (asked !== port) return;
  asked = null;
  if (numbers === undefined) end();
  port.postMessage(numbers);
}

/** Gives the verdict up; a port that is left open would stay. */
function end() {
  own?.terminate();
  asked?.close();
  own = asked = null;
}
