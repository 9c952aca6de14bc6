import { type PointerEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { positionPopover } from './position-popover.ts'
import css from './tooltip.module.css'

const c = classNames(css)
const hoverDelayMs = 300
const touchDurationMs = 3000

/** A visual tooltip; none if there is no text. Callers must also expose the text to screen readers, as a name or description. */
export function Tooltip({ text, children }: { text: string | undefined; children: ReactNode }) {
  const wrapper = useRef<HTMLSpanElement>(null)
  const tip = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isWanted, setWanted] = useState(false)
  const isShown = isWanted && text !== undefined

  const setVisible = (next: boolean, delayMs = 0) => {
    clearTimeout(timer.current)
    if (delayMs === 0) setWanted(next)
    else timer.current = setTimeout(() => setWanted(next), delayMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  useLayoutEffect(() => {
    const anchor = wrapper.current?.firstElementChild
    if (!isShown || !anchor || !tip.current) return
    const box = tip.current
    const reposition = () => positionPopover(anchor, box, { align: 'center', side: 'above' })
    const hideOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && setWanted(false)
    box.showPopover()
    reposition()
    document.addEventListener('keydown', hideOnEscape, true)
    document.addEventListener('scroll', reposition, true)
    return () => {
      document.removeEventListener('keydown', hideOnEscape, true)
      document.removeEventListener('scroll', reposition, true)
    }
  }, [isShown])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: key presses also fire click events
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes events of the control inside
    <span
      ref={wrapper}
      className={c('wrapper')}
      onPointerEnter={(event) => setVisible(true, isTouch(event) ? 0 : hoverDelayMs)}
      onPointerLeave={(event) => setVisible(false, isTouch(event) ? touchDurationMs : 0)}
      onFocus={(event) => event.target.matches(':focus-visible') && setVisible(true)}
      onBlur={() => setVisible(false)}
      onClick={() => setVisible(false)}
    >
      {children}
      {isShown && (
        <span ref={tip} popover="manual" className={c('tip')} aria-hidden="true">
          {text}
        </span>
      )}
    </span>
  )
}

const isTouch = (event: PointerEvent) => event.pointerType === 'touch'
