/** What this browser remembers beside the session. */
export const storageKeys = {
  /** `light` or `dark`; absent: as the system has it. */
  theme: 'theme',
  /** `metric`; absent: imperial. */
  units: 'units',
  /** The organisation's branding and its colours, so that the next start paints them first. */
  branding: 'branding',
  feedTab: 'feedTab',
  /** The ballot whose prompt was put away. */
  dismissedBallot: 'dismissedBallot',
  /** The recap whose card was put away. */
  dismissedRecap: 'dismissedRecap',
  /** The pointer of a new admin to the set-up was put away. */
  dismissedStart: 'dismissedStart',
} as const;
