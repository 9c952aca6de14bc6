import type { LinkAsk } from '@neptune/contract'
import { useState } from 'react'
import { Age } from '../../components/age.tsx'
import { Button } from '../../components/button.tsx'
import { classNames } from '../../components/class-names.ts'
import { FormError } from '../../components/form-error.tsx'
import { ClockIcon, KeyIcon } from '../../components/icons.tsx'
import { useToast } from '../../components/toast.tsx'
import { useKeptFocus } from '../../components/use-kept-focus.ts'
import { formatDate } from '../../lib/dates.ts'
import { defaultCompany } from '../../lib/missing.ts'
import { shortName } from '../../lib/short-name.ts'
import { formatCount } from '../../lib/sizes.ts'
import { useAnswerAsk } from './ask-queries.ts'
import css from './link-asks.module.css'
import type { ReadyLink } from './ready-link.ts'

const c = classNames(css)

/** More of them would push the links out of sight. */
const shownAtFirst = 3

interface LinkAsksProps {
  asks: readonly LinkAsk[]
  /** A new code was made and went to nobody: somebody has to pass it on. */
  onCode: (ready: ReadyLink) => void
}

/** What recipients ask for, each with its answers one press away. */
export function LinkAsks({ asks, onCode }: LinkAsksProps) {
  const [isWhole, setWhole] = useState(false)
  const [failure, setFailure] = useState<string>()
  const list = useKeptFocus<HTMLUListElement>()
  const shown = isWhole ? asks : asks.slice(0, shownAtFirst)
  return (
    <section aria-label="Questions of recipients" className={c('asks')}>
      {failure && <FormError title={failure} announce="alert" />}
      <ul ref={list} className={c('list')}>
        {shown.map((ask) => (
          <Ask key={ask.id} ask={ask} onCode={onCode} onFailure={setFailure} />
        ))}
      </ul>
      {shown.length < asks.length && (
        <div>
          <Button onClick={() => setWhole(true)}>Show all {formatCount(asks.length, 'question', 'questions')}</Button>
        </div>
      )}
    </section>
  )
}

interface AskProps extends Pick<LinkAsksProps, 'onCode'> {
  ask: LinkAsk
  onFailure: (message: string | undefined) => void
}

function Ask({ ask, onCode, onFailure }: AskProps) {
  const { id, name, client, wants, message, created_at, expiry, email } = ask
  const answer = useAnswerAsk()
  const toast = useToast()

  // Told even when the note is gone before.
  const give = (grant: boolean) => {
    onFailure(undefined)
    answer.mutateAsync({ id, grant }).then(
      ({ link, accessCode, sentTo }) => {
        if (!grant) return toast({ message: `Dismissed the question about “${shortName(name)}”.` })
        const told = sentTo === null ? 'Tell whoever asked: the link was never sent by mail.' : `${sentTo} is told by mail.`
        if (accessCode === null)
          return toast({ message: `“${shortName(name)}” is open until ${formatDate(link.expiry)}. ${told}` })
        if (sentTo !== null) return toast({ message: `A new code is on its way to ${sentTo}.` })
        onCode({ link, accessCode, isReset: true })
      },
      (error: Error) => onFailure(error.message),
    )
  }

  const isOver = Date.parse(expiry) <= Date.now()
  const yes = wants === 'time' ? 'Give 30 more days' : email ? 'Send a new code' : 'Make a new code'
  return (
    <li className={c('ask')}>
      {wants === 'time' ? <ClockIcon /> : <KeyIcon />}
      <div className={c('words')}>
        <p className={c('question')}>
          Somebody asks for {wants === 'time' ? 'more time' : 'a new code'} for “{name}”.
        </p>
        {message && (
          <blockquote className={c('message')} title="They wrote this themselves; nobody has checked it.">
            “{message}”
          </blockquote>
        )}
        <p className={c('meta')}>
          {client ?? defaultCompany} · <Age instant={created_at} /> · {isOver ? 'expired' : 'expires'} {formatDate(expiry)}
          {wants === 'code' && (email ? ` · the code goes to ${email}` : ' · the link was never sent by mail')}
        </p>
      </div>
      <div className={c('actions')}>
        <Button busy={answer.isPending && answer.variables.grant} onClick={() => give(true)} aria-label={`${yes}: ${name}`}>
          {yes}
        </Button>
        <Button busy={answer.isPending && !answer.variables.grant} onClick={() => give(false)} aria-label={`Dismiss: ${name}`}>
          Dismiss
        </Button>
      </div>
    </li>
  )
}
