// Prints as JSON what a server renders of react_pages.js: render_pages.mjs README-EXAMPLE.mjs

import { createRequire, Module } from "node:module";
import { pathToFileURL } from "node:url";
import { pagesOf } from "../shared/react_pages.js";
import { load } from "./package_folder.mjs";

process.env.NODE_PATH = "/usr/share/nodejs";
Module._initPaths();
const require = createRequire(import.meta.url);
const React = require("react");
const { renderToString } = require("react-dom/server");
const { componentsOf } = await load("react-components.js");
const { default: readme } = await import(pathToFileURL(process.argv[2]).href);

const pages = Object.entries(pagesOf(React, componentsOf(React), readme));
console.log(JSON.stringify(Object.fromEntries(pages.map(([name, element]) => [name, renderToString(element)]))));
