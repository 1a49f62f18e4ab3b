// <AnimatedImageList> and <RangeSlider>: the wall and the scrubber with the ancestors' properties and events.
import { bridgeEvent, styled } from "./react-tools.js";
import "./scrubber.js";
import "./wall.js";

const SLIDER_EVENTS = {
  onRangeSliderViewBeginDrag: "begin", onRangeSliderViewValueChange: "change",
  onRangeSliderViewEndDrag: "end",
};
const LIST_EVENTS = { onItemPress: "activate", onViewChange: "viewchange" };

/** The slider's facts in the ancestor's words: a drag's beginning has none. */
function sliderEvent(event) {
  const { start, end } = event.detail;
  return bridgeEvent(event, event.type === "begin" ? {} : { minValue: start, maxValue: end });
}

/** A number as an attribute; none for one that is absent. */
const textOf = (number) => (number === undefined ? undefined : String(number));

/** @param {object} React @param {ReturnType<import("./react-tools.js").reactTools>} tools */
export function listComponents(React, { useBrowserEffect, useEvents, useSharedRef, useStyle }) {
  const { createElement, forwardRef, useImperativeHandle, useRef } = React;

  const AnimatedImageList = forwardRef(function AnimatedImageList(props, forwarded) {
    const { data, options = {}, columns, numColumns = columns, placeholder = options.placeholderImage,
      resizeMode, gap, aspect, minWidth, motion, style, className, onItemPress, onViewChange, ...rest } = props;
    const ref = useRef(null);
    useEvents(ref, LIST_EVENTS, { onItemPress, onViewChange });
    useBrowserEffect(() => {
      ref.current.items = data ?? [];
    }, [data]);
    useStyle(ref, style);
    const picture = placeholder && typeof placeholder === "object" ? placeholder.uri : placeholder;
    return createElement("gallop-wall", {
      ...rest, ref: useSharedRef(ref, forwarded), class: className, ...styled(style), motion, placeholder: picture,
      columns: textOf(numColumns), "resize-mode": resizeMode,
      gap: textOf(gap), aspect: textOf(aspect), "min-width": textOf(minWidth),
    });
  });

  const RangeSlider = forwardRef(function RangeSlider(props, forwarded) {
    const { activeColor, inactiveColor, minValue = 0, maxValue = 1, leftKnobValue = 0, rightKnobValue = 1,
      step = 0,
      style, className, disabled = false, onRangeSliderViewBeginDrag, onRangeSliderViewValueChange,
      onRangeSliderViewEndDrag, ...rest } = props;
    const ref = useRef(null);
    const handlers = { onRangeSliderViewBeginDrag, onRangeSliderViewValueChange, onRangeSliderViewEndDrag };
    useEvents(ref, SLIDER_EVENTS, handlers, sliderEvent);
    useBrowserEffect(() => {
      Object.assign(ref.current, { min: minValue, max: maxValue, step });
    }, [minValue, maxValue, step]);
    useBrowserEffect(() => {
      ref.current.start = leftKnobValue;
    }, [leftKnobValue]);
    useBrowserEffect(() => {
      ref.current.end = rightKnobValue;
    }, [rightKnobValue]);
    useImperativeHandle(forwarded, () => ({
      get element() { return ref.current; },
      /** Moves a knob from code: no event of a drag follows. */
      setLeftKnobValue(value) { ref.current.start = value; },
      setRightKnobValue(value) { ref.current.end = value; },
    }), []);
    const colors = { ...(activeColor ? { "--gallop-active": activeColor } : {}),
      ...(inactiveColor ? { "--gallop-inactive": inactiveColor } : {}) };
    const look = { ...colors, ...style };
    useStyle(ref, look);
    return createElement("gallop-scrubber", { ...rest, ref, class: className, knobs: "range", ...styled(look),
      disabled: disabled ? true : undefined });
  });

  return { AnimatedImageList, RangeSlider };
}
