// A browser takes over what a server has rendered, without a word on the console and without making anything again.
import readme from "/readme_example.js";
import { freshReact } from "/react.js";
import "/gallop/index.js";
import { componentsOf } from "/gallop/react-components.js";
import "/gallop/scrubber.js";
import "/gallop/wall.js";
import { pagesOf } from "/tests/shared/react_pages.js";
import { equal, ok, painted, room, test } from "./tools.js";

const rendered = await (await fetch("/rendered.json")).json();

/** Hydrates a page by a React of its own; resolves with what it says meanwhile. */
async function hydrate(place, name) {
  const { React, ReactDOM } = await freshReact();
  const element = pagesOf(React, componentsOf(React), readme)[name];
  const said = [];
  const { error, warn } = console;
  const note = (...words) => said.push(words.join(" "));
  Object.assign(console, { error: note, warn: note });
  let root;
  try {
    await new Promise((mounted) => {
      function Page() {
        React.useEffect(mounted, []);
        return element;
      }
      root = ReactDOM.hydrateRoot(place, React.createElement(Page), { onRecoverableError: note });
    });
    await painted();
  } finally {
    Object.assign(console, { error, warn });
  }
  return { said, unmount: () => ReactDOM.flushSync(() => root.unmount()) };
}

for (const name of Object.keys(rendered)) {
  test(`React hydrates what a server has rendered, silently: ${name}`, async () => {
    const place = room();
    place.innerHTML = rendered[name];
    const before = [...place.querySelectorAll("*")];
    ok(before.some(({ localName }) => localName.startsWith("gallop-")), "an element of the package");
    const { said, unmount } = await hydrate(place, name);
    equal(said, []);
    const after = [...place.querySelectorAll("*")];
    equal(after.map((element) => before.indexOf(element)), before.map((_, index) => index));
    unmount();
  });
}

test("A difference between server and browser is noticed", async () => {
  const place = room();
  place.innerHTML = rendered.images.replace('id="two"', 'id="four"');
  const { said, unmount } = await hydrate(place, "images");
  equal(said.length > 0, true);
  unmount();
});
