import { Component, type ReactNode } from 'react'

interface Props {
  children: ReactNode
  fallback: (error: unknown) => ReactNode
  /** Renders the children again when it changes. Unlike `key`, it does not remount children that did not fail. */
  resetKey?: string
}

interface State {
  failure?: { error: unknown } | undefined
  resetKey?: string | undefined
}

/** Shows a fallback if the children throw. React has no hook for this, so this is the only class component. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): State | null {
    return resetKey === state.resetKey ? null : { resetKey, failure: undefined }
  }

  override render() {
    const { failure } = this.state
    return failure ? this.props.fallback(failure.error) : this.props.children
  }
}
