// Compiled, not run: what a page in TypeScript writes.
import * as React from "react";
import { AnimatedImage, AnimatedImageList, CallbackView, RangeSlider, componentsOf, useAnimatedImage,
  useEmit }
  from "../../../../Sources/Bindings/Web/gallop-gif/react.js";
import type { RangeSliderCommands } from "../../../../Sources/Bindings/Web/gallop-gif/react.js";
import type { GallopGIF } from "../../../../Sources/Bindings/Web/gallop-gif/index.js";
import { GallopScrubber } from "../../../../Sources/Bindings/Web/gallop-gif/scrubber.js";
import { GallopWall } from "../../../../Sources/Bindings/Web/gallop-gif/wall.js";

export function Page(): React.ReactElement {
  const slider = React.useRef<RangeSliderCommands>(null);
  const list = React.useRef<GallopWall>(null);
  const [ref, state, gif] = useAnimatedImage();
  const emit = useEmit();
  return (
    <CallbackView onReady={(e) => console.log(e.nativeEvent.value)}
      onReadyCapture={(e) => e.stopPropagation()}>
      <AnimatedImage ref={ref} src="a.gif" resizeMode="contain" placeholder="b.png" style={{ width: 4 }}
        id="x"
        onFrameChange={(e) => console.log(e.nativeEvent.currentFrameIndex + "/"
          + e.nativeEvent.frameCount)} />
      <RangeSlider ref={slider} minValue={0} maxValue={10} leftKnobValue={2} rightKnobValue={8} step={1}
        onRangeSliderViewValueChange={(e) => slider.current?.setLeftKnobValue(e.nativeEvent.minValue)} />
      <AnimatedImageList ref={list} data={[{ src: "a.gif",
        description: "A" }]} options={{ placeholderImage: "p.png" }}
        numColumns={3} onItemPress={(e) => list.current?.scrollToItem(e.nativeEvent.index)} />
      <button onClick={() => { void gif?.play(); emit("done", state.frameCount, "direct"); }}>Play</button>
    </CallbackView>
  );
}

export function endless(gif: GallopGIF): boolean {
  gif.loop = 3;
  gif.loop = true;
  return gif.loop;
}

export const facts = <AnimatedImage src="a.gif"
  onFrameChange={({ nativeEvent: { mediaTime, shownAt } }) => console.log(mediaTime.toFixed(), shownAt.toFixed())} />;

export const others = componentsOf(React);
const scrubber: GallopScrubber = document.createElement("gallop-scrubber");
scrubber.addEventListener("change", ({ detail }) => console.log(detail.knob, detail.value));
const wall: GallopWall = document.createElement("gallop-wall");
wall.items = ["a.gif"];
wall.addEventListener("activate", ({ detail: { index } }) => console.log(index));
const first: GallopGIF | null = wall.elementOf(0);
export { first };
// @ts-expect-error: a resize mode that there is not
export const wrong = <AnimatedImage resizeMode="crop" />;
