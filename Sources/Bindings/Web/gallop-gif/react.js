// The React components, for the React that `import "react"` brings. `react-components.js` takes any other.
import * as namespace from "react";
import { componentsOf } from "./react-components.js";

export { componentsOf };

export const {
  AnimatedImage, AnimatedImageList, RangeSlider, CallbackView, useAnimatedImage, useEmit, useMountAnimation,
} = componentsOf(namespace.default ?? namespace);
