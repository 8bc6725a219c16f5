/**
 * A small social network on the official driver: profiles, posts for everybody or for circles of
 * people, walls and news feeds. {@link dev.wisent.example.social.SocialNetwork} is what an
 * application would call, {@link dev.wisent.example.social.SocialNetworkMain} plays a scene with
 * it.
 */
package dev.wisent.example.social;
