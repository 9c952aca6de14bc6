import { Tray } from './tray.tsx'
import { transfers } from './uploads.ts'

/** The tray of staff, whichever screen is shown. */
export const UploadTray = () => <Tray transfers={transfers} />
