// A provider of OpenID Connect for the tests: panva's, with the accounts that a test names.
//   node provider.js PORT REDIRECT SIGNED_OUT
import Provider from "oidc-provider";

const [port, redirect, signedOut] = process.argv.slice(2);
const people = {
  ann: { preferred_username: "ann", email: "ann@uni.example", email_verified: true, groups: ["students"] },
  "ann-2": { preferred_username: "ann", email: "ann@uni.example", email_verified: true, groups: ["students"] },
  bob: { preferred_username: "bob", email: "bob@other.example", email_verified: false, groups: [] },
};
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{
    client_id: "arena", client_secret: "s3cret:1", redirect_uris: [redirect],
    post_logout_redirect_uris: [signedOut], grant_types: ["authorization_code"], response_types: ["code"],
  }],
  claims: {
    openid: ["sub"], email: ["email", "email_verified"], profile: ["preferred_username"], groups: ["groups"],
  },
  scopes: ["openid", "profile", "email", "groups"],
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  cookies: { keys: ["tests"] },
  findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people[sub] }) }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));
