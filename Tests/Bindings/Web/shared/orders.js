// Ways in which a program may ask for the frames of a GIF. For Node and browsers.

/** Numbers that look random, below `limit`: the same ones for the same seed. */
export function randomNumbers(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

export function shuffled(values, random) {
  const list = [...values];
  for (let end = list.length - 1; end > 0; end -= 1) {
    const place = random(end + 1);
    [list[end], list[place]] = [list[place], list[end]];
  }
  return list;
}

/** The hashes of all frames of an open GIF, each asked for in one of the ways; they may be promises. */
export const WAYS = {
  iterated: (gif, hash) => [...gif].map(({ data }) => hash(data)),
  "in random order": (gif, hash, random) => {
    const found = [];
    for (const frame of shuffled(gif.frames().keys(), random)) found[frame] = hash(gif.frame(frame).data);
    return found;
  },
  "iterated with others between": (gif, hash, random) => [...gif.frames().keys()].map((frame) => {
    gif.frame(random(gif.info.frameCount));
    const { data } = gif.frame(frame);
    gif.frame(random(gif.info.frameCount), { width: 7, height: 5 });
    return hash(data);
  }),
};

/** The hashes of all frames, each of a GIF that was just opened. */
export async function hashesJustOpened(open, hash) {
  const found = [];
  for (let frame = 0, count = 1; frame < count; frame += 1) {
    const gif = await open();
    count = gif.info.frameCount;
    found.push(hash(gif.frame(frame).data));
    gif.close();
  }
  return found;
}
