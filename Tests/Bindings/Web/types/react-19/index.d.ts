// What the types of React 19 have to do with JSX: its namespace is the module's, and there is no global one.
export = React;
export as namespace React;

declare namespace React {
  type ReactNode = ReactElement | string | number | boolean | null | undefined | Iterable<ReactNode>;
  interface ReactElement<Props = unknown, Type = unknown> { type: Type; props: Props; key: string | null }
  interface RefObject<Value> { current: Value }
  interface Attributes { key?: string | number | null }
  interface RefAttributes<Value> extends Attributes { ref?: RefObject<Value | null> | null }
  interface ClassAttributes<Value> extends RefAttributes<Value> {}
  class Component<Props = {}> { props: Props; render(): ReactNode }
  interface HTMLAttributes<Target> { id?: string; className?: string; onClick?: (event: { target: Target }) => void }
  function createElement(type: unknown, props: object | null, ...children: ReactNode[]): ReactElement;
  function useRef<Value>(value: Value | null): RefObject<Value | null>;

  namespace JSX {
    interface Element extends ReactElement<any, any> {}
    interface ElementClass extends Component<any> { render(): ReactNode }
    interface ElementAttributesProperty { props: {} }
    interface ElementChildrenAttribute { children: {} }
    interface IntrinsicAttributes extends Attributes {}
    interface IntrinsicClassAttributes<Value> extends ClassAttributes<Value> {}
    interface IntrinsicElements {
      main: HTMLAttributes<HTMLElement> & { children?: ReactNode };
    }
  }
}
