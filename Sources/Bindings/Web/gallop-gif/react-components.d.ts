export { componentsOf } from "./react.js";
