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

/** What stands between the commas that are in no parentheses. */
function splitOutside(text) {
  const parts = [""];
  let depth = 0;
  for (const letter of text) {
    depth += Number(letter === "(") - Number(letter === ")");
    if (letter === "," && depth === 0) parts.push("");
    else parts.push(parts.pop() + letter);
  }
  return parts;
}

/** The parts of a `sizes`: a media condition, empty for the last one, and a length. */
export function sizeParts(text) {
  return splitOutside(text ?? "").map((part) => {
    const [, condition, length] = /^\s*(.*?)\s*((?:[a-z]+\(.*\)|\S+))\s*$/s.exec(part) ?? [];
    return { condition, length };
  }).filter(({ length }) => length);
}

/** Of candidates with a density the least that is enough, otherwise the most. */
export function pick(found, density) {
  const sorted = [...found].sort((one, other) => one.density - other.density);
  return sorted.find((each) => each.density >= density) ?? sorted.at(-1) ?? null;
}

/** A length in CSS pixels; null where it is none. @param {ShadowRoot} root of the element, where the page sees no probe */
function pixels(length, root) {
  const probe = document.createElement("div");
  // Not displayed, so that its width is computed without a layout; before any style of the page, as in media conditions.
  Object.assign(probe.style, { all: "initial", display: "none", width: length });
  root.append(probe);
  const [, number] = /^(.+)px$/.exec(getComputedStyle(probe).width) ?? [];
  probe.remove();
  return number === undefined ? null : Number(number);
}

/** The width at which the page says that the picture is seen. */
function seenWidth(sizes, root) {
  const part = sizeParts(sizes).find(({ condition }) => !condition || matchMedia(condition).matches);
  return (part && pixels(part.length, root)) ?? innerWidth;
}

/** @param {string | null} [src] counts as the one for a plain screen where no other candidate does */
function best({ srcset, sizes }, root, src = null) {
  const named = candidates(srcset);
  if (src && !named.some(({ width, density }) => width || density === 1)) named.push({ url: src, density: 1 });
  const found = named.map(({ url, width, density }) => (
    { url, density: width === undefined ? density : width / Math.max(1, seenWidth(sizes, root)) }));
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
  const found = sourcesOf(element).filter(fits).map((source) => best(source, element.shadowRoot)).find(Boolean)
    ?? best(element, element.shadowRoot, element.getAttribute("src"));
  return { url: found ? new URL(found.url, element.baseURI).href : "", density: found?.density ?? 1 };
}

/** Calls `change` when the answer may be another one, until the signal ends it. */
export function watch(element, change, signal) {
  const conditions = sourcesOf(element).map(({ media }) => media);
  conditions.push(...sizeParts(element.sizes).map(({ condition }) => condition), `(resolution: ${devicePixelRatio}dppx)`);
  for (const condition of conditions.filter(Boolean)) matchMedia(condition).addEventListener("change", change, { signal });
}
