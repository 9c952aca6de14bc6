import type { TokenRow } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { PanelFailed, PanelLines } from '../../components/layout/panel.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { t } from '../../i18n/t.ts'
import { formatDateTime } from '../../lib/time/dates.ts'
import css from './token.module.css'
import { tokensQuery } from './token-queries.ts'
import { ExpiredBadge, formatLastUsed, isExpired, scopeNames } from './token-texts.tsx'

const c = classNames(css)

interface TokenListProps {
  owner: { id: string; name: string }
  onRevoke: (token: TokenRow) => void
}

/** Another user’s API tokens, as a list that fits into a dialog. */
export function TokenList({ owner, onRevoke }: TokenListProps) {
  const tokens = useQuery(tokensQuery(owner.id))
  if (tokens.isError && !tokens.data) {
    return <PanelFailed title={t('The API tokens did not load.')} onRetry={() => void tokens.refetch()} />
  }
  if (!tokens.data) return <PanelLines lines={2} />
  if (tokens.data.length === 0) return <p className={c('empty')}>{t('{name} has no API tokens.', { name: owner.name })}</p>
  return (
    <ul className={c('list')} aria-label={t('API tokens')}>
      {tokens.data.map((token) => (
        <li key={token.id} className={c('item')}>
          <div className={c('text')}>
            <span className={c('name')}>
              <TruncatedText text={token.name} at="end" />
            </span>
            <span className={c('facts')}>{describeToken(token)}</span>
            {isExpired(token) && <ExpiredBadge />}
          </div>
          <Button aria-label={t('Revoke {name}', { name: token.name })} onClick={() => onRevoke(token)}>
            {t('Revoke')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

const describeToken = (token: TokenRow) =>
  [
    t(scopeNames[token.scope]),
    t('Created: {when}', { when: formatDateTime(token.created_at) }),
    t('Last used: {when}', { when: formatLastUsed(token) }),
    t('Expires: {when}', { when: token.expires_at ? formatDateTime(token.expires_at) : t('Never') }),
  ].join(' · ')
