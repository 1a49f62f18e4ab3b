// Compiled, not run: the elements themselves in the JSX of React 18 and of React 19.
import * as React from "react";
import type { GallopGIF } from "../../../../Sources/Bindings/Web/gallop-gif/index.js";
import type {} from "../../../../Sources/Bindings/Web/gallop-gif/react.js";
import type { GallopWall } from "../../../../Sources/Bindings/Web/gallop-gif/wall.js";

export function Elements(): React.ReactElement {
  const gif = React.useRef<GallopGIF>(null);
  const wall = React.useRef<GallopWall>(null);
  return (
    <main>
      <gallop-gif ref={gif} id="horse" src="a.gif" alt="A" autoplay="" controls loop={3} click="toggle" class="big"
        width={96} height="64" loading="lazy" srcset="a.gif, b.gif 2x" sizes="100vw"
        resize-mode="cover" onframechange={({ mediaTime, shownAt }) => console.log(mediaTime + shownAt)}
        onClick={() => void gif.current?.seekToFrame(2)} />
      <gallop-scrubber for="horse" knobs="playhead" disabled={false} />
      <gallop-wall ref={wall} columns={4} min-width="120" onactivate={({ detail }) => console.log(detail.index)} />
    </main>
  );
}

// @ts-expect-error: a mode that there is not
export const wrong = <gallop-gif mode="sideways" />;
// @ts-expect-error: an element that there is not
export const unknown = <gallop-movie />;
