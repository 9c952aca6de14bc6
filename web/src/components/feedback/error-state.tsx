import type { ReactNode } from 'react'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { classNames } from '../class-names.ts'
import { AlertIcon, RefreshIcon } from '../entry-icons.tsx'
import { Button } from '../form/button.tsx'
import css from './state.module.css'

const c = classNames(css)

interface ErrorStateProps {
  title: string
  detail: ReactNode
  onRetry?: (() => void) | undefined
  requestId?: string | undefined
  action?: ReactNode
}

/** Shows what failed, what to do, and the request id, with which an operator finds the error in the log. */
export function ErrorState({ title, detail, onRetry, requestId, action }: ErrorStateProps) {
  return (
    <div role="alert" className={c('state')}>
      <span className={c('icon', 'failed')}>
        <AlertIcon />
      </span>
      <p className={c('title')}>{title}</p>
      <div className={c('text')}>{detail}</div>
      {(onRetry || action) && (
        <div className={c('actions')}>
          {onRetry && (
            <Button icon={<RefreshIcon />} onClick={onRetry}>
              {t('Try again')}
            </Button>
          )}
          {action}
        </div>
      )}
      {requestId && <p className={c('small')}>{tNodes('Request {id}', { id: <code>{requestId}</code> })}</p>}
    </div>
  )
}
