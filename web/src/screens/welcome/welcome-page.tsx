import type { FirstStep } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { ApiError } from '../../api/api-error.ts'
import { useIsAdmin } from '../../api/session.ts'
import { classNames } from '../../components/class-names.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorState } from '../../components/feedback/error-state.tsx'
import { ButtonLink } from '../../components/form/button.tsx'
import { CheckIcon, LockIcon } from '../../components/icons.tsx'
import { PanelLines } from '../../components/layout/panel.tsx'
import { getStepPath, type SetUpStep, setUpQuery, setUpSteps, setUpTexts } from '../../features/first-run/first-run-steps.ts'
import { type AllSettings, settingsQuery } from '../../features/settings/settings-queries.ts'
import { t } from '../../i18n/t.ts'
import { askBeforeLeaving } from '../../lib/page/leave-guard.ts'
import { paths } from '../../paths.ts'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { CompanyStep } from './company-step.tsx'
import { EmailStep } from './email-step.tsx'
import { LinkStep } from './link-step.tsx'
import { LogoStep } from './logo-step.tsx'
import { NameStep } from './name-step.tsx'
import { type StepNavigation, stepTitleId } from './step-frame.tsx'
import css from './welcome.module.css'

const c = classNames(css)

/** Guides admins through the setup of a new installation, one step at a time. */
export function WelcomePage() {
  return useIsAdmin() ? (
    <Guide />
  ) : (
    <StaffPage>
      <EmptyState icon={<LockIcon />} title={t('Only administrators can set up the portal.')}>
        {t('Your role doesn’t allow this. Ask an administrator.')}
      </EmptyState>
    </StaffPage>
  )
}

function Guide() {
  const settings = useQuery(settingsQuery())
  const setUp = useQuery(setUpQuery())
  const error = settings.error ?? setUp.error
  const retry = () => void Promise.all([settings.refetch(), setUp.refetch()])
  return (
    <StaffPage action={<ButtonLink to={paths.dashboard}>{t('Do this later')}</ButtonLink>}>
      {settings.data && setUp.data ? (
        <Steps settings={settings.data} done={listDoneSteps(setUp.data.steps)} />
      ) : error ? (
        <ErrorState
          title={t('The steps did not load.')}
          detail={error.message}
          requestId={error instanceof ApiError ? error.requestId : undefined}
          onRetry={retry}
        />
      ) : (
        <PanelLines lines={5} />
      )}
    </StaffPage>
  )
}

const listDoneSteps = (steps: readonly FirstStep[]): SetUpStep[] =>
  setUpSteps.filter((step) => steps.some((row) => row.step === step && row.done))

const findOpenSteps = (done: readonly SetUpStep[]) => setUpSteps.filter((step) => !done.includes(step))

interface StepsProps {
  settings: AllSettings
  done: readonly SetUpStep[]
}

function Steps({ settings, done }: StepsProps) {
  const [params, setParams] = useSearchParams()
  // Without a step in the URL, the guide starts with the first that is open when the page loads.
  const [firstOpen] = useState(() => findOpenSteps(done)[0] ?? setUpSteps[0])
  const requested = params.get('step')
  const current = requested === 'end' ? 'end' : (setUpSteps.find((step) => step === requested) ?? firstOpen)
  useFocusOnChange(current)
  const index = current === 'end' ? setUpSteps.length : setUpSteps.indexOf(current)
  const previous = setUpSteps[index - 1]
  const navigation: StepNavigation = {
    onNext: () => setParams({ step: setUpSteps[index + 1] ?? 'end' }),
    onBack: previous && (() => setParams({ step: previous })),
  }
  return (
    <div className={c('guide')}>
      <StepList current={current} done={done} />
      {current === 'end' ? (
        <End open={findOpenSteps(done)} />
      ) : (
        <Step key={current} step={current} settings={settings} {...navigation} />
      )}
    </div>
  )
}

function Step({ step, settings, ...navigation }: StepNavigation & { step: SetUpStep; settings: AllSettings }) {
  if (step === 'organisation') return <NameStep settings={settings} {...navigation} />
  if (step === 'logo') return <LogoStep settings={settings} {...navigation} />
  if (step === 'email') return <EmailStep {...navigation} />
  if (step === 'company') return <CompanyStep {...navigation} />
  return <LinkStep {...navigation} />
}

/** Moves the focus to the heading of the next step, so that screen readers announce it. */
function useFocusOnChange(step: string) {
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    document.getElementById(stepTitleId)?.focus()
  }, [step])
}

const StepList = ({ current, done }: { current: SetUpStep | 'end'; done: readonly SetUpStep[] }) => (
  <nav aria-label={t('Steps')} className={c('list')}>
    <ol>
      {setUpSteps.map((step) => (
        <li key={step} className={c('item', done.includes(step) && 'done', step === current && 'current')}>
          <span className={c('mark')}>{done.includes(step) && <CheckIcon size={16} />}</span>
          <StepLink step={step} current={step === current}>
            {t(setUpTexts[step][0])}
            {done.includes(step) && <span className="sr-only">. {t('This step is done.')}</span>}
          </StepLink>
        </li>
      ))}
    </ol>
  </nav>
)

/** Opens another step. Asks first if input would be lost: the guard of the page ignores links that change only the query string. */
function StepLink({ step, current, children }: { step: SetUpStep; current: boolean; children: ReactNode }) {
  const navigate = useNavigate()
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return // opens a new tab or window
    event.preventDefault()
    askBeforeLeaving(() => void navigate(getStepPath(step)))
  }
  return (
    <Link to={getStepPath(step)} aria-current={current ? 'step' : undefined} onClick={open}>
      {children}
    </Link>
  )
}

/** What is shown after the last step: what is still open, and where to go from here. */
const End = ({ open }: { open: readonly SetUpStep[] }) => (
  <section aria-labelledby={stepTitleId} className={c('step')}>
    <h2 id={stepTitleId} tabIndex={-1} className={c('title')}>
      {open.length === 0 ? t('Your portal is ready') : t('That’s it for now')}
    </h2>
    <p className={c('hint')}>
      {open.length === 0
        ? t('You can change all of this in the settings.')
        : t('The steps you skipped are still on the dashboard and in the user menu.')}
    </p>
    <div className={c('buttons', 'end')}>
      <ButtonLink variant="primary" to={paths.dashboard}>
        {t('Go to the dashboard')}
      </ButtonLink>
      <ButtonLink to={paths.clients}>{t('Add colleagues')}</ButtonLink>
    </div>
  </section>
)
