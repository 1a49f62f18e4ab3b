export { upgrade, type Upgrade, type UpgradeOptions } from "./upgrade.js";
