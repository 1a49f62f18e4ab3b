// Where the built package is: web_test.py says it.

import { pathToFileURL } from "node:url";

export const folder = `${process.env.GALLOP_PACKAGE}/`;

/** A module of the package. */
export const load = (name) => import(pathToFileURL(folder + name).href);
