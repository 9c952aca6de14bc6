import type { User } from '@neptune/contract'
import { t } from '../../i18n/t.ts'
import { Facts } from '../shared/page/page-section.tsx'

export const OwnDetails = ({ info: { name, email } }: { info: User }) => (
  <Facts>
    <dt>{t('Name')}</dt>
    <dd>{name}</dd>
    <dt>{t('E-mail address')}</dt>
    <dd>{email}</dd>
  </Facts>
)
