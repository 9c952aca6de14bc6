import type { FirstStep } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { CheckIcon, CloseIcon } from '../../components/entry-icons.tsx'
import { ButtonLink, IconButton } from '../../components/form/button.tsx'
import { Panel, PanelNote } from '../../components/layout/panel.tsx'
import { getStepPath, isSetUpList, type SetUpStep, setUpSteps, setUpTexts } from '../../features/first-run/first-run-steps.ts'
import { dashboardQuery } from '../../features/stats/stats-queries.ts'
import { formatNumber, type Text, t } from '../../i18n/t.ts'
import { useIsPhone } from '../../lib/page/use-is-phone.ts'
import { useHiddenSteps } from '../../lib/storage/hidden-steps.ts'
import { paths } from '../../paths.ts'
import { type Dialog, useDialog } from '../shared/dialogs/dialog.ts'
import css from './first-steps.module.css'

const c = classNames(css)

type Step = FirstStep['step']

type UserStep = Exclude<Step, SetUpStep> | 'link'

const userTexts = {
  password: [
    'Set your password and name',
    'Replace the password you were given with one that only you know. Recipients see your name.',
  ],
  directory: ['Create your first directory', 'Files are stored in directories. Each directory belongs to one company.'],
  file: ['Upload some files', 'Choose files or whole folders.'],
  link: ['Share them with a link', 'Recipients need only the link and its access code. No account is required.'],
} as const satisfies Record<UserStep, [title: Text, hint: Text]>

/** Returns the first steps, unless all are done or the user has hidden them, and a function that hides them. */
function useOpenSteps() {
  const session = useSession()
  const userId = session.kind === 'signed-in' ? session.info.id : ''
  const steps = useQuery(dashboardQuery()).data?.start
  const [isHidden, setHidden] = useHiddenSteps(userId)
  const hide = () => {
    setHidden()
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return { steps: !steps || isHidden || steps.every(({ done }) => done) ? undefined : steps, hide }
}

/**
 * Returns a button that leads admins of a new installation to the guide, for the top of the dashboard. Phones have only the list, because
 * the button would push the page down when it appears.
 */
export function useSetUpButton(): ReactNode {
  const { steps } = useOpenSteps()
  const isPhone = useIsPhone()
  if (!steps || !isSetUpList(steps) || isPhone) return undefined
  return (
    <ButtonLink variant="primary" to={paths.welcome}>
      {t('Set up your portal')}
    </ButtonLink>
  )
}

/** The checklist of a new installation or a new user. The server marks steps as done; the list disappears when all are. */
export function FirstSteps() {
  const { steps, hide } = useOpenSteps()
  if (!steps) return null
  const doneCount = steps.filter((step) => step.done).length
  const isSetUp = isSetUpList(steps)
  return (
    <Panel
      title={isSetUp ? t('Set up your portal') : t('Getting started')}
      more={<IconButton label={t('Hide these steps')} icon={<CloseIcon />} onClick={hide} />}
    >
      <PanelNote>{t('{n} of {total} steps are done.', { n: doneCount, total: formatNumber(steps.length) })}</PanelNote>
      <ol className={c('steps')}>
        {steps.map(({ step, done }) => (
          <li key={step} className={c('step', done && 'done')}>
            <span className={c('mark')}>{done && <CheckIcon size={16} />}</span>
            <span className={c('text')}>
              {isSetUp && isSetUpStep(step) ? (
                <SetUpLink step={step} done={done} />
              ) : (
                <UserAction step={step as UserStep} done={done} />
              )}
            </span>
          </li>
        ))}
      </ol>
      {isSetUp && (
        <div>
          <ButtonLink variant="primary" to={paths.welcome}>
            {t('Continue with the next step')}
          </ButtonLink>
        </div>
      )}
    </Panel>
  )
}

const isSetUpStep = (step: Step): step is SetUpStep => setUpSteps.some((other) => other === step)

const DoneNote = () => <span className="sr-only">. {t('This step is done.')}</span>

/** Opens a step of the guide, even one that is done. */
const SetUpLink = ({ step, done }: { step: SetUpStep; done: boolean }) => (
  <>
    <Link to={getStepPath(step)}>
      {t(setUpTexts[step][0])}
      {done && <DoneNote />}
    </Link>
    {!done && <span className={c('hint')}>{t(setUpTexts[step][1])}</span>}
  </>
)

/** Opens the page or dialog where the step is done. */
function UserAction({ step, done }: { step: UserStep; done: boolean }) {
  const [title, hint] = userTexts[step]
  if (done)
    return (
      <span>
        {t(title)}
        <DoneNote />
      </span>
    )
  return (
    <>
      {step === 'password' ? <Link to={paths.account}>{t(title)}</Link> : <DialogButton step={step}>{t(title)}</DialogButton>}
      <span className={c('hint')}>{t(hint)}</span>
    </>
  )
}

const dialogs = {
  directory: { kind: 'create-directory' },
  file: { kind: 'upload-file' },
  link: { kind: 'create-link' },
} satisfies Record<Exclude<UserStep, 'password'>, Dialog>

function DialogButton({ step, children }: { step: keyof typeof dialogs; children: ReactNode }) {
  const open = useDialog()
  return (
    <button type="button" className={c('opener')} onClick={() => open(dialogs[step])}>
      {children}
    </button>
  )
}
