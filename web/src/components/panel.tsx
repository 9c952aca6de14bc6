import { type ReactNode, useId } from 'react'
import { t } from '../words/t.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { RefreshIcon } from './icons.tsx'
import css from './panel.module.css'
import { Skeleton } from './skeleton.tsx'
import { Skeletons } from './skeletons.tsx'

const c = classNames(css)

interface PanelProps {
  title: string
  /** What stands beside the title: the way to more of it. */
  more?: ReactNode
  children: ReactNode
}

/** One answer on a page of several. */
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

/** Two beside each other where there is room. */
export const Panels = ({ children }: { children: ReactNode }) => <div className={c('panels')}>{children}</div>

/** A sentence where there is nothing to show. */
export const PanelNote = ({ children }: { children: ReactNode }) => <p className={c('note')}>{children}</p>

/** What did not come, and the way to try again. Not as loud as a page that failed: the others are there. */
export const PanelFailed = ({ title, onRetry }: { title: string; onRetry: () => void }) => (
  <div className={c('failed')}>
    <p>{title}</p>
    <Button icon={<RefreshIcon />} onClick={onRetry}>
      {t('Try again')}
    </Button>
  </div>
)

/** As high as that many lines will be. */
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
