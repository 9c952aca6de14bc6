import { Tray } from './tray.tsx'
import { transfers } from './uploads.ts'

/** The upload tray of signed-in users, on every page. */
export const UploadTray = () => <Tray transfers={transfers} />
