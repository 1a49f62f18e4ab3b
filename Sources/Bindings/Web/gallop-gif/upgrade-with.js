// Upgrades the GIFs of existing pages, with options. Importing this module alone changes nothing.

import { UpgradedPage } from "./upgrade-page.js";

/** The upgrades that hold, by their roots. @type {Map<Node, UpgradedPage>} */
const upgrades = new Map();

/**
 * @typedef {object} UpgradeOptions
 * @property {string} [selector] the images to read; without it all that may be GIFs by their address or content type
 * @property {Document | ShadowRoot | Element} [root] where they are looked for
 * @property {"button" | "bar" | "none"} [controls]
 * @property {"reduced" | "once" | "hover" | "click" | "full"} [motion] when images may move by themselves
 * @property {boolean} [observe] whether images that come, change and go are followed
 * @property {string | ((image: HTMLImageElement) => boolean)} [skip] images that stay as they are
 * @property {{pause?: string, play?: string, all?: string}} [labels] the words on the buttons
 */

/**
 * Gives every animated GIF in an <img> a pause button, and lets it obey the user's wishes. A second call for the same
 * root takes the place of the first.
 * @param {UpgradeOptions} [options]
 */
export function upgrade(options = {}) {
  const root = options.root ?? document;
  upgrades.get(root)?.leave();
  const page = new UpgradedPage(options);
  upgrades.set(root, page);
  return {
    /** Pauses all images, those that come later included. */
    pauseAll: () => page.askAll("pause"),
    /** Plays all images, also where the policy would not. */
    playAll: () => page.askAll("play"),
    /** Leaves the page as it was. */
    revert() {
      page.leave();
      if (upgrades.get(root) === page) upgrades.delete(root);
    },
  };
}
