// Binds the components to a React that is handed over: for pages without a bundler, or several Reacts.
import { callbackComponents } from "./react-callbacks.js";
import { imageComponents } from "./react-image.js";
import { listComponents } from "./react-list.js";
import { reactTools } from "./react-tools.js";

/**
 * The components and hooks of one React (18 or later).
 * @template {object} React
 * @param {React} React
 */
export function componentsOf(React) {
  const tools = reactTools(React);
  return { ...imageComponents(React, tools), ...listComponents(React, tools),
    ...callbackComponents(React, tools) };
}
