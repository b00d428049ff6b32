import { health } from "../../api/health.ts";
import { stats } from "../../api/operator/stats.ts";
import { router } from "../../kernel/request/trpc.ts";
import { apiKeys } from "../../domain/auth/api-keys.ts";
import { changePassword } from "../../domain/auth/change-password.ts";
import { createApiKey } from "../../domain/auth/create-api-key.ts";
import { login } from "../../domain/auth/login.ts";
import { logout } from "../../domain/auth/logout.ts";
import { refresh } from "../../domain/auth/refresh.ts";
import { register } from "../../domain/auth/register.ts";
import { requestPasswordReset } from "../../domain/auth/request-password-reset.ts";
import { resendVerification } from "../../domain/auth/resend-verification.ts";
import { resetPassword } from "../../domain/auth/reset-password.ts";
import { revokeApiKey } from "../../domain/auth/revoke-api-key.ts";
import { revokeSession } from "../../domain/auth/revoke-session.ts";
import { confirmSignIn } from "../../domain/second-factor/confirm.ts";
import { listSecondFactors } from "../../domain/second-factor/list.ts";
import { startTotp } from "../../domain/second-factor/start-totp.ts";
import { addTotp } from "../../domain/second-factor/add-totp.ts";
import { startPasskey } from "../../domain/second-factor/start-passkey.ts";
import { addPasskey } from "../../domain/second-factor/add-passkey.ts";
import { renameSecondFactor } from "../../domain/second-factor/rename.ts";
import { removeSecondFactor } from "../../domain/second-factor/remove.ts";
import { createRecoveryCodes } from "../../domain/second-factor/create-recovery-codes.ts";
import { sessions } from "../../domain/auth/sessions.ts";
import { streamTicket } from "../../domain/auth/stream-ticket.ts";
import { verifyEmail } from "../../domain/auth/verify-email.ts";
import { decideRequest } from "../../domain/oauth/decide.ts";
import { decideDevice } from "../../domain/oauth/decide-device.ts";
import { describeRequest } from "../../domain/oauth/describe.ts";
import { describeDevice } from "../../domain/oauth/describe-device.ts";
import { registerApp } from "../../domain/oauth/register.ts";
import { revokeGrant } from "../../domain/oauth/revoke.ts";
import { startDevice } from "../../domain/oauth/start-device.ts";
import { issueGrantTokens } from "../../domain/oauth/token.ts";
import { receiveSignIn } from "../../domain/sign-in/callback.ts";
import { finishSignIn } from "../../domain/sign-in/finish.ts";
import { listIdentities } from "../../domain/sign-in/identities.ts";
import { linkProvider } from "../../domain/sign-in/link.ts";
import { listSignInProviders } from "../../domain/sign-in/list-providers.ts";
import { startSignIn } from "../../domain/sign-in/start.ts";
import { unlinkProvider } from "../../domain/sign-in/unlink.ts";
import { myCards } from "../../domain/users/cards.ts";
import { deleteMe } from "../../domain/users/delete.ts";
import { me } from "../../domain/users/me.ts";
import { notifications } from "../../outbound/notifications/list.ts";
import { preferences } from "../../domain/users/preferences.ts";
import { readAllNotifications } from "../../outbound/notifications/read-all.ts";
import { readNotification } from "../../outbound/notifications/read.ts";
import { streamUserEvents } from "../../outbound/stream/subscribe-user.ts";
import { updateMe } from "../../domain/users/update.ts";
import { updatePreferences } from "../../domain/users/update-preferences.ts";
import { batchOperations } from "./batch.ts";
import { listAudit } from "../../domain/workspaces/audit.ts";
import { checkWorkspaceSlug } from "../../domain/workspaces/check-slug.ts";
import { createWorkspace } from "../../domain/workspaces/create.ts";
import { deleteWorkspace } from "../../domain/workspaces/delete.ts";
import { exportWorkspace } from "../../transfer/exports/workspace.ts";
import { listEvents } from "../../outbound/stream/feed.ts";
import { getWorkspaceBySlug } from "../../domain/workspaces/get-by-slug.ts";
import { getWorkspace } from "../../domain/workspaces/get.ts";
import { importWorkspace } from "../../transfer/imports/workspace.ts";
import { listWorkspaces } from "../../domain/workspaces/list.ts";
import { snapshotWorkspace } from "../../transfer/snapshots/workspace.ts";
import { restoreWorkspace } from "../../domain/workspaces/restore.ts";
import { searchWorkspace } from "../../domain/workspaces/search.ts";
import { streamEvents } from "../../outbound/stream/subscribe.ts";
import { listTrash } from "../../domain/workspaces/trash.ts";
import { updateWorkspace } from "../../domain/workspaces/update.ts";
import { authorizeConnection } from "../../transfer/integrations/authorize.ts";
import { callback } from "../../transfer/integrations/callback.ts";
import { complete } from "../../transfer/integrations/complete.ts";
import { disconnect } from "../../transfer/integrations/disconnect.ts";
import { githubProjects } from "../../transfer/integrations/github-projects.ts";
import { listProviders } from "../../transfer/integrations/providers.ts";
import { cancelImport } from "../../transfer/imports/cancel.ts";
import { getImport } from "../../domain/imports/get.ts";
import { importGitHub } from "../../transfer/imports/github.ts";
import { importCsv } from "../../transfer/imports/csv.ts";
import { previewCsv } from "../../transfer/imports/csv-preview.ts";
import { importKan } from "../../transfer/imports/kan.ts";
import { importPlanka } from "../../transfer/imports/planka.ts";
import { importPeople } from "../../domain/imports/people.ts";
import { mapImportPeople } from "../../domain/imports/map-people.ts";
import { listImports } from "../../domain/imports/list.ts";
import { readReport } from "../../domain/imports/report.ts";
import { importTrello } from "../../transfer/imports/trello.ts";
import { importTrelloFile } from "../../transfer/imports/trello-file.ts";
import { trelloBoards } from "../../transfer/integrations/trello-boards.ts";
import { operator } from "./operator.ts";
import { resources } from "./resources.ts";

/** All operations by name. */
export const appRouter = router({
  /** Sign-up, sign-in, sessions and API keys. */
  auth: {
    register,
    login,
    confirm: confirmSignIn,
    refresh,
    logout,
    changePassword,
    requestPasswordReset,
    resetPassword,
    verifyEmail,
    resendVerification,
    sessions,
    revokeSession,
    apiKeys,
    createApiKey,
    revokeApiKey,
    streamTicket,
  },
  /** Apps that people connect. */
  secondFactor: {
    list: listSecondFactors,
    startTotp,
    addTotp,
    startPasskey,
    addPasskey,
    rename: renameSecondFactor,
    remove: removeSecondFactor,
    createRecoveryCodes,
  },
  signIn: {
    providers: listSignInProviders,
    start: startSignIn,
    callback: receiveSignIn,
    finish: finishSignIn,
    link: linkProvider,
    identities: listIdentities,
    unlink: unlinkProvider,
  },
  oauth: {
    register: registerApp,
    describe: describeRequest,
    decide: decideRequest,
    token: issueGrantTokens,
    revoke: revokeGrant,
    startDevice,
    describeDevice,
    decideDevice,
  },
  /** The caller's own account. */
  user: {
    me,
    update: updateMe,
    delete: deleteMe,
    cards: myCards,
    notifications,
    stream: streamUserEvents,
    readNotification,
    readAllNotifications,
    preferences,
    updatePreferences,
  },
  /** Workspaces. */
  workspace: {
    list: listWorkspaces,
    create: createWorkspace,
    get: getWorkspace,
    getBySlug: getWorkspaceBySlug,
    checkSlugAvailability: checkWorkspaceSlug,
    batch: batchOperations,
    update: updateWorkspace,
    delete: deleteWorkspace,
    restore: restoreWorkspace,
    search: searchWorkspace,
    trash: listTrash,
    export: exportWorkspace,
    snapshot: snapshotWorkspace,
    import: importWorkspace,
    audit: listAudit,
    events: listEvents,
    stream: streamEvents,
  },
  ...resources,
  /** Connections to other services. */
  integration: {
    authorize: authorizeConnection,
    callback,
    complete,
    githubProjects,
    providers: listProviders,
    disconnect,
  },
  /** Imports from other services. */
  import: {
    trelloBoards,
    trello: importTrello,
    trelloFile: importTrelloFile,
    github: importGitHub,
    planka: importPlanka,
    kan: importKan,
    csv: importCsv,
    csvPreview: previewCsv,
    list: listImports,
    get: getImport,
    cancel: cancelImport,
    report: readReport,
    people: importPeople,
    mapPeople: mapImportPeople,
  },
  health,
  stats,
  operator,
});

/** The router type for TypeScript clients. */
export type AppRouter = typeof appRouter;
