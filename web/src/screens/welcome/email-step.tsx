import { useQuery } from '@tanstack/react-query'
import { mailWayQuery } from '../../features/mail/mail-queries.ts'
import { MailWayNote } from '../../features/mail/mail-way-note.tsx'
import { TestEmailForm } from '../../features/mail/test-email-form.tsx'
import { StepFrame, type StepNavigation } from './step-frame.tsx'

/** Sends a test email, and says whether the mail server accepted it. */
export function EmailStep(navigation: StepNavigation) {
  const { data: way } = useQuery({ ...mailWayQuery(), staleTime: 0 }) // the mail server may just have been set up
  return (
    <StepFrame step="email" {...navigation}>
      <MailWayNote way={way} />
      <TestEmailForm />
    </StepFrame>
  )
}
