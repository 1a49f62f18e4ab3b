// Style sheets for shadow roots. A document takes only those that its own window has made: a root that moves needs others.

/** Each document's sheets by their text, for all of its roots. @type {WeakMap<Document, Map<string, CSSStyleSheet>>} */
const sheets = new WeakMap();

/** A sheet for a root; none where its document has no window. */
export function sheetFor({ ownerDocument: { defaultView } }, text = "") {
  const sheet = defaultView && new defaultView.CSSStyleSheet();
  sheet?.replaceSync(text);
  return sheet;
}

/** Gives a root styles, and a sheet of its own behind them. @param {ShadowRoot} root @param {Iterable<string>} texts */
export function wear(root, texts, own) {
  const { ownerDocument } = root;
  const known = sheets.get(ownerDocument) ?? new Map();
  sheets.set(ownerDocument, known);
  for (const text of texts) if (!known.has(text)) known.set(text, sheetFor(root, text));
  root.adoptedStyleSheets = [...Array.from(texts, (text) => known.get(text)), own].filter(Boolean);
}
