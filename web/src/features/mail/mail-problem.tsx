import { t } from '../../i18n/t.ts'
import { describeMailProblem } from './mail-texts.ts'

/** Says why an email was not sent, followed by the technical error. */
export function MailProblem({ problem }: { problem: string }) {
  const { text, detail } = describeMailProblem(problem)
  return (
    <>
      {text} {detail && t('Technical details: {reason}', { reason: detail })}
    </>
  )
}
