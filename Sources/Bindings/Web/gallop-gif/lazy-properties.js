// Properties that a page or a framework has set on an element before its class was defined.

/** Sets them again, now that the element has the accessors of its class. */
export function takeLazyProperties(element, names) {
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}
