import { type PointerEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { place } from './place.ts'
import css from './tooltip.module.css'

const c = classNames(css)
const hoverDelay = 300
const touchStay = 3000

/** For the eye only: whoever uses it also gives the same words to screen readers, as a name or a description. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const wrapper = useRef<HTMLSpanElement>(null)
  const tip = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [shown, setShown] = useState(false)

  const set = (next: boolean, after = 0) => {
    clearTimeout(timer.current)
    if (after === 0) setShown(next)
    else timer.current = setTimeout(() => setShown(next), after)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  useLayoutEffect(() => {
    const anchor = wrapper.current?.firstElementChild
    if (!shown || !anchor || !tip.current) return
    const box = tip.current
    const follow = () => place(anchor, box, { align: 'center', side: 'above' })
    const hide = (event: KeyboardEvent) => event.key === 'Escape' && setShown(false)
    box.showPopover()
    follow()
    document.addEventListener('keydown', hide, true)
    document.addEventListener('scroll', follow, true)
    return () => {
      document.removeEventListener('keydown', hide, true)
      document.removeEventListener('scroll', follow, true)
    }
  }, [shown])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key's press arrives as a click too
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches; the control inside is what acts
    <span
      ref={wrapper}
      className={c('wrapper')}
      onPointerEnter={(event) => set(true, isTouch(event) ? 0 : hoverDelay)}
      onPointerLeave={(event) => set(false, isTouch(event) ? touchStay : 0)}
      onFocus={(event) => event.target.matches(':focus-visible') && set(true)}
      onBlur={() => set(false)}
      onClick={() => set(false)}
    >
      {children}
      {shown && (
        <span ref={tip} popover="manual" className={c('tip')} aria-hidden="true">
          {text}
        </span>
      )}
    </span>
  )
}

const isTouch = (event: PointerEvent) => event.pointerType === 'touch'
