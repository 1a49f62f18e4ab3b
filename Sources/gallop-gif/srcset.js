// Which file an element with `srcset`, or within a <picture>, loads: the one that an <img> in its place would. Loaded where
// there is a choice.

/** The candidates of a `srcset`: an address, and its width in pixels or its density. */
export function candidates(text) {
  const found = [];
  for (const [, url, descriptor = "1x"] of (text ?? "").matchAll(/[\s,]*(\S*[^\s,])(?:\s+([^,]+?))?\s*(?:,|$)/g)) {
    const [, number, unit] = /^(\d+(?:\.\d+)?|\.\d+)([wx])(?:\s+\d+h)?$/.exec(descriptor.trim()) ?? [];
    if (Number(number) > 0) found.push(unit === "w" ? { url, width: Number(number) } : { url, density: Number(number) });
  }
  return found;
}

/** The parts of a `sizes`: a media condition, empty for the last one, and a length. */
export function sizeParts(text) {
  return (text ?? "").split(/,(?![^(]*\))/).map((part) => {
    const [, condition, length] = /^\s*(.*?)\s*((?:[a-z]+\(.*\)|\S+))\s*$/s.exec(part) ?? [];
    return { condition, length };
  }).filter(({ length }) => length);
}

/**
 * A length in CSS pixels; null where it takes more than a number to know it.
 * @param {{width: number, height: number, em: number}} view
 */
export function pixels(length, { width, height, em }) {
  const [, number, unit] = /^(\d*\.?\d+)(px|vw|vh|em|rem)$/i.exec(length) ?? [];
  const units = { px: 1, vw: width / 100, vh: height / 100, em, rem: em };
  return unit ? Number(number) * units[unit.toLowerCase()] : null;
}

/** Of candidates with a density the least that is enough, otherwise the most. */
export function pick(found, density) {
  const sorted = [...found].sort((one, other) => one.density - other.density);
  return sorted.find((each) => each.density >= density) ?? sorted.at(-1) ?? null;
}

// Before any style of the page, as in media conditions.
const viewOf = () => ({ width: innerWidth, height: innerHeight, em: 16 });

/** The width at which the page says that the picture is seen. */
function seenWidth(sizes) {
  const part = sizeParts(sizes).find(({ condition }) => !condition || matchMedia(condition).matches);
  return pixels(part?.length ?? "100vw", viewOf()) ?? innerWidth;
}

/** @param {string | null} [src] counts as the one for a plain screen where no other candidate does */
function best(srcset, sizes, src = null) {
  const named = candidates(srcset);
  if (src && !named.some(({ width, density }) => width || density === 1)) named.push({ url: src, density: 1 });
  const found = named.map(({ url, width, density }) => (
    { url, density: width === undefined ? density : width / Math.max(1, seenWidth(sizes)) }));
  return pick(found, devicePixelRatio);
}

/** The sources of the <picture> that come before an element. */
function sourcesOf(element) {
  const picture = element.closest("picture") === element.parentElement ? element.parentElement : null;
  const all = [...(picture?.children ?? [])];
  return all.slice(0, all.indexOf(element)).filter((each) => each.localName === "source" && each.srcset);
}

const isGIF = ({ type }) => !type || /^image\/gif\b/i.test(type);

/** The address for an element, resolved, and its pixels for each CSS pixel. */
export function choose(element) {
  const fits = (source) => isGIF(source) && (!source.media || matchMedia(source.media).matches);
  const found = sourcesOf(element).filter(fits).map(({ srcset, sizes }) => best(srcset, sizes)).find(Boolean)
    ?? best(element.srcset, element.sizes, element.getAttribute("src"));
  return { url: found ? new URL(found.url, element.baseURI).href : "", density: found?.density ?? 1 };
}

/** Calls `change` when the answer may be another one, until the signal ends it. */
export function watch(element, change, signal) {
  const conditions = sourcesOf(element).map(({ media }) => media);
  conditions.push(...sizeParts(element.sizes).map(({ condition }) => condition), `(resolution: ${devicePixelRatio}dppx)`);
  for (const condition of conditions.filter(Boolean)) matchMedia(condition).addEventListener("change", change, { signal });
}
