import { type ReactNode, useId } from 'react'
import { t } from '../../i18n/t.ts'
import { classNames } from '../class-names.ts'
import { RefreshIcon } from '../entry-icons.tsx'
import { Skeleton } from '../feedback/skeleton.tsx'
import { Skeletons } from '../feedback/skeletons.tsx'
import { Button } from '../form/button.tsx'
import css from './panel.module.css'

const c = classNames(css)

interface PanelProps {
  title: string
  /** A link or button next to the title. */
  more?: ReactNode
  children: ReactNode
}

/** A titled section of a page. */
export function Panel({ title, more, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={c('panel')}>
      <div className={c('head')}>
        <h2 id={id} className={c('title')}>
          {title}
        </h2>
        {more}
      </div>
      {children}
    </section>
  )
}

/** Shows two panels side by side if there is room. */
export const Panels = ({ children }: { children: ReactNode }) => <div className={c('panels')}>{children}</div>

/** A sentence in place of the content, for example if there is nothing to show. */
export const PanelNote = ({ children }: { children: ReactNode }) => <p className={c('note')}>{children}</p>

/** An error with a retry button. Less prominent than a failed page, because the other panels still work. */
export const PanelFailed = ({ title, onRetry }: { title: string; onRetry: () => void }) => (
  <div className={c('failed')}>
    <p>{title}</p>
    <Button icon={<RefreshIcon />} onClick={onRetry}>
      {t('Try again')}
    </Button>
  </div>
)

/** A placeholder with the height of `lines` lines of text. */
export const PanelLines = ({ lines }: { lines: number }) => (
  <div aria-busy="true" className={c('lines')}>
    <Skeletons count={lines}>
      {(index, label) => (
        <div className={c('line')}>
          <Skeleton width={`${[72, 58, 66, 48][index % 4]}%`} label={label} />
        </div>
      )}
    </Skeletons>
  </div>
)
