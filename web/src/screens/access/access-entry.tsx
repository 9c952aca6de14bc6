import type { LinkAsk } from '@neptune/contract'
import { useState } from 'react'
import type { VisitEnd } from '../../api/visit.ts'
import { classNames } from '../../components/class-names.ts'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { t } from '../../i18n/t.ts'
import { useBrand } from '../../lib/brand.ts'
import { lazyPage, withTranslations } from '../../lib/page/lazy-page.tsx'
import { CardNote, CardPage } from '../shared/page/card-page.tsx'
import css from './access.module.css'
import { AccessCodePage } from './access-code-page.tsx'
import { CodeForm } from './code-form.tsx'
import { useLinkInfo } from './use-link-info.ts'

const c = classNames(css)

/** Loaded on demand, with its texts, because few recipients need it. */
const AskForm = lazyPage(
  withTranslations(() => import('./ask-form.tsx').then((module) => module.AskForm)),
  { Pending: () => null, Failed: AskFailed },
)

interface AccessEntryProps {
  accessKey: string
  /** How the recipient’s access ended, if they had any. */
  ended: VisitEnd | undefined
  /** The files whose upload had not finished then. */
  unsentFiles: readonly string[]
  onSend: () => void
  onEnter: (token: string) => void
}

/** Asks for the access code of a link, or lets the recipient ask for more time or a new code. */
export function AccessEntry({ accessKey, ...rest }: AccessEntryProps) {
  const { info, retry } = useLinkInfo(accessKey)
  /** What the recipient is asking for. */
  const [asking, setAsking] = useState<LinkAsk['wants']>()
  if (info.kind === 'missing') return <LinkNotFound isCut={accessKey.length < keyLength} />
  return (
    <AccessCodePage accessKey={accessKey} info={info}>
      {asking === undefined && <Instruction />}
      {info.kind === 'failed' ? (
        <ErrorState
          title={t('The link could not be checked.')}
          detail={info.error.message}
          requestId={info.error.requestId}
          onRetry={retry}
        />
      ) : asking === undefined ? (
        <>
          <CodeForm {...rest} accessKey={accessKey} type={info.kind === 'known' ? info.type : undefined} onAsk={setAsking} />
          <AuthenticityHint />
        </>
      ) : (
        <AskForm accessKey={accessKey} wants={asking} onBack={() => setAsking(undefined)} />
      )}
    </AccessCodePage>
  )
}

function AskFailed({ retry }: { retry: () => void }) {
  return <ErrorState title={t('This page did not load.')} detail={t('Check your connection and try again.')} onRetry={retry} />
}

/** Says what to do, and who has the code. */
function Instruction() {
  const { name } = useBrand()
  return (
    <p className={c('instruction')}>
      {name === null
        ? t('Use the access code you were given to open this link.')
        : t('Enter the access code from the email, or the one {name} gave you.', { name })}
    </p>
  )
}

/** Says how to check that the link is genuine. The page itself can’t prove it, because a forged page could say the same. */
function AuthenticityHint() {
  const { name } = useBrand()
  return (
    <p className={c('authenticity')}>
      {name === null
        ? t('Not sure it’s genuine? Call the sender on a number you know. You’ll never be asked for a password here.')
        : t('Not sure it’s genuine? Call {name} on a number you know. You’ll never be asked for a password here.', { name })}
    </p>
  )
}

/** The length of every key. Some mail programs break a long address, and the rest of its key is lost. */
const keyLength = 22

const LinkNotFound = ({ isCut }: { isCut: boolean }) => (
  <CardPage title={t('Link not found.')}>
    <CardNote>
      <p>
        {isCut
          ? t('The end of the address is missing. Copy the whole address from the message into the address bar.')
          : t('It was deleted, or the address is incomplete.')}
      </p>
      <p>{t('Check the address you were sent, or ask the sender for a new link.')}</p>
    </CardNote>
  </CardPage>
)
