import type { Translation } from '../t.ts'
import { access } from './access.ts'
import { activity } from './activity.ts'
import { common } from './common.ts'
import { companies } from './companies.ts'
import { dashboard } from './dashboard.ts'
import { dates } from './dates.ts'
import { dialogs } from './dialogs.ts'
import { docs } from './docs.ts'
import { errors } from './errors.ts'
import { files } from './files.ts'
import { finder } from './finder.ts'
import { first } from './first.ts'
import { identity } from './identity.ts'
import { links } from './links.ts'
import { mail } from './mail.ts'
import { preview } from './preview.ts'
import { receipt } from './receipt.ts'
import { tokens } from './tokens.ts'
import { upload } from './upload.ts'
import { users } from './users.ts'
import { validation } from './validation.ts'
import { webhooks } from './webhooks.ts'

/** The German translation of every text of the web app, keyed by the English text. */
export const german = {
  ...first,
  ...common,
  ...activity,
  ...companies,
  ...dashboard,
  ...docs,
  ...files,
  ...finder,
  ...links,
  ...mail,
  ...users,
  ...access,
  ...dates,
  ...dialogs,
  ...errors,
  ...validation,
  ...identity,
  ...preview,
  ...receipt,
  ...tokens,
  ...upload,
  ...webhooks,
} satisfies Record<string, Translation>
