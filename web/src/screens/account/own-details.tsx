import type { User } from '@neptune/contract'
import { t } from '../../i18n/t.ts'
import { FactList } from '../shared/page/page-section.tsx'

export const OwnDetails = ({ info: { name, email } }: { info: User }) => (
  <FactList>
    <dt>{t('Name')}</dt>
    <dd>{name}</dd>
    <dt>{t('E-mail address')}</dt>
    <dd>{email}</dd>
  </FactList>
)
