import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Button } from '../../components/form/button.tsx'
import { LeaveGuardDialog } from '../../components/layout/leave-guard-dialog.tsx'
import { type SetUpStep, setUpSteps, setUpTexts } from '../../features/first-run/first-run-steps.ts'
import { formatNumber, t } from '../../i18n/t.ts'
import { askBeforeLeaving } from '../../lib/page/leave-guard.ts'
import css from './welcome.module.css'

const c = classNames(css)

/** The id of the heading, which takes the focus when the step changes. */
export const stepTitleId = 'step-title'

/** Moves to the next or the previous step. */
export interface StepNavigation {
  onNext: () => void
  /** Undefined for the first step. */
  onBack: (() => void) | undefined
}

interface StepFrameProps extends StepNavigation {
  step: SetUpStep
  /** The form that “Continue” submits. Without it, “Continue” only opens the next step. */
  form?: Pick<ComponentProps<'form'>, 'ref' | 'noValidate' | 'onSubmit'>
  isBusy?: boolean
  /** Whether the form has input that would be lost. */
  isDirty?: boolean
  /** Whether the step has a more important button than “Continue”. */
  hasOwnButton?: boolean
  children: ReactNode
}

/** One step of the guide, with its number, and the buttons that leave it. */
export function StepFrame({ step, form, isBusy = false, isDirty = false, hasOwnButton = false, ...props }: StepFrameProps) {
  const { onNext, onBack, children } = props
  const [title, hint] = setUpTexts[step]
  const current = setUpSteps.indexOf(step) + 1
  const isLast = current === setUpSteps.length
  const content = (
    <>
      <div className={c('fields')}>{children}</div>
      <div className={c('actions')}>
        {onBack && <Button onClick={() => askBeforeLeaving(onBack)}>{t('Back')}</Button>}
        <span className={c('forward')}>
          {!isLast && <Button onClick={() => askBeforeLeaving(onNext)}>{t('Skip')}</Button>}
          <Button
            variant={hasOwnButton ? 'quiet' : 'primary'}
            type={form ? 'submit' : 'button'}
            busy={isBusy}
            onClick={form ? undefined : onNext}
          >
            {isLast ? t('Finish') : t('Continue')}
          </Button>
        </span>
      </div>
    </>
  )
  return (
    <section aria-labelledby={stepTitleId} className={c('step')}>
      <p className={c('progress')}>
        {t('Step {current} of {total}', { current: formatNumber(current), total: formatNumber(setUpSteps.length) })}
      </p>
      <h2 id={stepTitleId} tabIndex={-1} className={c('title')}>
        {t(title)}
      </h2>
      <p className={c('hint')}>{t(hint)}</p>
      {form ? (
        <form className={c('form')} {...form}>
          {content}
        </form>
      ) : (
        <div className={c('form')}>{content}</div>
      )}
      {/* Outside the form, because it contains a form of its own. */}
      <LeaveGuardDialog isDirty={isDirty} />
    </section>
  )
}
