import { Component, type ReactNode } from 'react'

interface Props {
  children: ReactNode
  fallback: (error: unknown) => ReactNode
  /** When it changes, what failed is tried again. Unlike `key`, it leaves children that are well as they are. */
  resetKey?: string
}

interface State {
  failed?: { error: unknown } | undefined
  resetKey?: string | undefined
}

/** Shows the fallback in place of children that threw. React has no hook for this, hence the only component class of the web. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { failed: { error } }
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): State | null {
    return resetKey === state.resetKey ? null : { resetKey, failed: undefined }
  }

  override render() {
    const { failed } = this.state
    return failed ? this.props.fallback(failed.error) : this.props.children
  }
}
