import { useQuery } from '@tanstack/react-query'
import { classNames } from '../../components/class-names.ts'
import { Button, ButtonLink } from '../../components/form/button.tsx'
import { PlusIcon } from '../../components/icons.tsx'
import { useReadyLink } from '../../features/link/ready-link.ts'
import { statsQuery } from '../../features/stats/stats-queries.ts'
import { t } from '../../i18n/t.ts'
import { paths } from '../../paths.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { ReadyLinkPanel } from '../shared/links/ready-link-panel.tsx'
import { useClients } from './company-step.tsx'
import { StepFrame, type StepNavigation } from './step-frame.tsx'
import css from './welcome.module.css'

const c = classNames(css)

/** Opens the dialog that creates a link, and shows the new link with its code. */
export function LinkStep(navigation: StepNavigation) {
  const ready = useReadyLink()
  const count = useQuery(statsQuery()).data?.data.links ?? 0
  const clients = useClients() ?? []
  const [client] = clients
  const open = useDialog()
  const create = () => open({ kind: 'create-link', ...(client && clients.length === 1 && { company: client.id }) })
  return (
    <StepFrame step="link" hasOwnButton={!ready && count === 0} {...navigation}>
      {ready ? (
        <ReadyLinkPanel />
      ) : (
        <>
          <p>
            {count > 0
              ? t('Your first link is ready. Create another one, or finish.')
              : t('Create a link. In the dialog, you choose a company, and you can create a directory for its files.')}
          </p>
          <div className={c('buttons')}>
            <Button variant={count > 0 ? 'quiet' : 'primary'} icon={<PlusIcon />} onClick={create}>
              {t('Create link')}
            </Button>
            {count > 0 && <ButtonLink to={paths.links}>{t('Show all links')}</ButtonLink>}
          </div>
        </>
      )}
    </StepFrame>
  )
}
