import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire, Module } from "node:module";
import { test } from "node:test";
import { componentsOf } from "../../../../Sources/Bindings/Web/gallop-gif/react-components.js";

// Debian's modules lie where only Debian's own Node looks for them.
const DEBIAN = "/usr/share/nodejs";
const require = createRequire(import.meta.url);
process.env.NODE_PATH = DEBIAN;
Module._initPaths();
const modules = existsSync(`${DEBIAN}/react-dom`);
const options = { skip: modules ? false : "React is not installed" };
const React = modules && require("react");
const server = modules && require("react-dom/server");
const components = modules && componentsOf(React);

test("A server renders a GIF with its attributes, and says nothing on its console", options, () => {
  const said = [];
  const { error } = console;
  console.error = (...words) => said.push(words);
  try {
    const html = server.renderToString(React.createElement(components.AnimatedImage,
      { src: "a.gif", alt: "A horse",
      resizeMode: "cover", className: "x", onFrameChange: () => {} }));
    assert.equal(html,
      '<gallop-gif class="x" src="a.gif" resize-mode="cover" alt="A horse" autoplay=""></gallop-gif>');
    assert.deepEqual(said, []);
  } finally {
    console.error = error;
  }
});

test("A server renders placeholder, list, slider and callbacks", options, () => {
  const { AnimatedImage, AnimatedImageList, RangeSlider, CallbackView } = components;
  const h = React.createElement;
  const html = server.renderToString(h(CallbackView, { onReady: () => {}, id: "view" },
    h(AnimatedImage, { src: "a.gif", placeholder: "b.png" }),
    h(AnimatedImageList, { data: [{ src: "a.gif" }], columns: 3 }),
    h(RangeSlider, { leftKnobValue: 0.25, activeColor: "red" })));
  assert.match(html, /^<div id="view"><span/);
  assert.match(html, /<img src="b.png"/);
  assert.match(html, /<gallop-wall columns="3">/);
  assert.match(html, /<gallop-scrubber knobs="range"/);
});

test("Strict mode renders on a server, too", options, () => {
  const { AnimatedImage } = components;
  const element = React.createElement(AnimatedImage, { src: "a.gif" });
  const strict = React.createElement(React.StrictMode, null, element);
  assert.equal(server.renderToStaticMarkup(strict), server.renderToStaticMarkup(element));
});
