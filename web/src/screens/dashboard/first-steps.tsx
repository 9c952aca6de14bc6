import type { FirstStep } from '@neptune/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { IconButton } from '../../components/form/button.tsx'
import { CheckIcon, CloseIcon } from '../../components/icons.tsx'
import { Panel, PanelNote } from '../../components/layout/panel.tsx'
import { linksQuery } from '../../features/link/link-queries.ts'
import { dashboardQuery } from '../../features/stats/stats-queries.ts'
import { formatNumber, type Text, t } from '../../i18n/t.ts'
import { areStepsHidden, hideSteps } from '../../lib/hidden-steps.ts'
import { paths } from '../../paths.ts'
import { type Dialog, useDialog } from '../shared/dialogs/dialog.ts'
import css from './first-steps.module.css'

const c = classNames(css)

type Step = FirstStep['step']

const stepTexts = {
  password: [
    'Set your password and name',
    'Replace the password you were given with one that only you know. Recipients see your name.',
  ],
  company: ['Name your company', 'Recipients see this name when you share something.'],
  directory: ['Create your first directory', 'Files are stored in directories. Each directory belongs to one company.'],
  file: ['Upload some files', 'Choose files or whole folders.'],
  link: ['Share them with a link', 'Recipients need only the link and its access code. No account is required.'],
  recipient: ['View the link as a recipient', 'See what people see when they open your link.'],
} as const satisfies Record<Step, [title: Text, hint: Text]>

/** The checklist of a new installation. The server marks steps as done; the list disappears when all are. */
export function FirstSteps() {
  const session = useSession()
  const userId = session.kind === 'signed-in' ? session.info.id : ''
  const steps = useQuery(dashboardQuery()).data?.start
  const [isHidden, setHidden] = useState(() => areStepsHidden(userId))
  if (!steps || isHidden) return null
  const hide = () => {
    hideSteps(userId)
    setHidden(true)
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  const doneCount = steps.filter((step) => step.done).length
  return (
    <Panel title={t('Getting started')} more={<IconButton label={t('Hide these steps')} icon={<CloseIcon />} onClick={hide} />}>
      <PanelNote>{t('{n} of {total} steps are done.', { n: doneCount, total: formatNumber(steps.length) })}</PanelNote>
      <ol className={c('steps')}>
        {steps.map((step) => (
          <li key={step.step} className={c('step', step.done && 'done')}>
            <span className={c('mark')}>{step.done && <CheckIcon size={16} />}</span>
            <span className={c('text')}>
              {step.done ? <DoneTitle step={step.step} /> : <StepAction step={step.step} />}
              {!step.done && <span className={c('hint')}>{t(stepTexts[step.step][1])}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const DoneTitle = ({ step }: { step: Step }) => (
  <span>
    {t(stepTexts[step][0])}
    <span className="sr-only">. {t('This step is done.')}</span>
  </span>
)

/** Opens the page or dialog where the step is done. */
function StepAction({ step }: { step: Step }) {
  const title = t(stepTexts[step][0])
  if (step === 'password') return <Link to={paths.account}>{title}</Link>
  if (step === 'recipient') return <NewestLink>{title}</NewestLink>
  return <DialogButton step={step}>{title}</DialogButton>
}

/** Links to the preview of the newest link, if there is one. */
function NewestLink({ children }: { children: ReactNode }) {
  const { data } = useInfiniteQuery(linksQuery({ sort: '-created_at' }))
  const newest = data?.pages[0]?.data.find(({ state }) => state !== 'expired')
  return newest ? <Link to={`${paths.access(newest.key)}?as=recipient`}>{children}</Link> : <span>{children}</span>
}

function DialogButton({ step, children }: { step: Exclude<Step, 'password' | 'recipient'>; children: ReactNode }) {
  const open = useDialog()
  const session = useSession()
  const { company: id, company_name: name } = session.kind === 'signed-in' ? session.info : { company: '', company_name: '' }
  const dialogs = {
    company: { kind: 'rename-company', company: { id, name } },
    directory: { kind: 'create-directory' },
    file: { kind: 'upload-file' },
    link: { kind: 'create-link' },
  } satisfies Record<typeof step, Dialog>
  return (
    <button type="button" className={c('opener')} onClick={() => open(dialogs[step])}>
      {children}
    </button>
  )
}
