//! An offer: a service that an athlete sells at their own price.

use schemars::JsonSchema;
use serde::Serialize;

use crate::jobs::{Activity, JobKind, MediaKind, MediaPlatform};
use crate::kernel::vocabulary::vocabulary;
use crate::kernel::{AthleteId, Cents, CollegeId, ServiceOfferId, SportId, Time};
use crate::storage::FromRow;

vocabulary! {
    /// The kind of service: the activities that can be sold at a fixed price.
    ServiceKind {
        /// A personal video message.
        VideoShoutout = "video_shoutout",
        /// An appearance.
        Appearance = "appearance",
        /// Autographs.
        Autograph = "autograph",
        /// A photo shoot.
        PhotoShoot = "photo_shoot",
        /// A camp or clinic.
        CampClinic = "camp_clinic",
        /// A lesson.
        Lesson = "lesson",
        /// A talk.
        Speaking = "speaking",
        /// A podcast or an interview.
        PodcastInterview = "podcast_interview",
        /// A post.
        SocialPost = "social_post",
        /// A story.
        SocialStory = "social_story",
        /// A reel or short video.
        SocialReelVideo = "social_reel_video",
        /// Content for the brand's own channels.
        UgcContent = "ugc_content",
        /// Anything else.
        Other = "other",
    }
}

impl ServiceKind {
    /// The matching activity of deals.
    #[must_use]
    pub fn activity(self) -> Activity {
        match self {
            Self::VideoShoutout => Activity::VideoShoutout,
            Self::Appearance => Activity::Appearance,
            Self::Autograph => Activity::Autograph,
            Self::PhotoShoot => Activity::PhotoShoot,
            Self::CampClinic => Activity::CampClinic,
            Self::Lesson => Activity::Lesson,
            Self::Speaking => Activity::Speaking,
            Self::PodcastInterview => Activity::PodcastInterview,
            Self::SocialPost => Activity::SocialPost,
            Self::SocialStory => Activity::SocialStory,
            Self::SocialReelVideo => Activity::SocialReelVideo,
            Self::UgcContent => Activity::UgcContent,
            Self::Other => Activity::Other,
        }
    }

    /// The form of the deliverable.
    #[must_use]
    pub fn media_kind(self) -> MediaKind {
        match self {
            Self::VideoShoutout => MediaKind::Video,
            Self::Appearance | Self::CampClinic | Self::Lesson | Self::Speaking => {
                MediaKind::Appearance
            }
            Self::Autograph => MediaKind::Autograph,
            Self::SocialPost => MediaKind::Post,
            Self::SocialStory => MediaKind::Story,
            Self::SocialReelVideo => MediaKind::Reel,
            Self::PhotoShoot | Self::PodcastInterview | Self::UgcContent | Self::Other => {
                MediaKind::Other
            }
        }
    }

    /// The matching kind of engagement.
    #[must_use]
    pub fn job_kind(self) -> JobKind {
        match self.usual_platform() {
            Some(MediaPlatform::InPerson) => JobKind::Appearance,
            _ => JobKind::OneTime,
        }
    }

    /// The default platform; none for social posts, which can be on several.
    #[must_use]
    pub fn usual_platform(self) -> Option<MediaPlatform> {
        match self {
            Self::Appearance
            | Self::Autograph
            | Self::PhotoShoot
            | Self::CampClinic
            | Self::Lesson
            | Self::Speaking => Some(MediaPlatform::InPerson),
            Self::PodcastInterview => Some(MediaPlatform::Podcast),
            Self::VideoShoutout | Self::UgcContent | Self::Other => Some(MediaPlatform::Other),
            Self::SocialPost | Self::SocialStory | Self::SocialReelVideo => None,
        }
    }

    /// The category of jobs it belongs to, if the order names no other.
    #[must_use]
    pub fn category_slug(self) -> &'static str {
        match self {
            Self::SocialReelVideo => "short_video",
            other => other.as_str(),
        }
    }
}

/// A service that an athlete offers.
#[derive(Clone, Debug, Serialize, JsonSchema, FromRow)]
#[non_exhaustive]
pub struct Offer {
    /// Its id.
    pub id: ServiceOfferId,
    /// The athlete.
    pub athlete_id: AthleteId,
    /// The athlete's name.
    pub athlete_name: String,
    /// The athlete's sport.
    pub sport_id: Option<SportId>,
    /// The athlete's university.
    pub university_id: Option<CollegeId>,
    /// The kind of service.
    pub kind: ServiceKind,
    /// The platform.
    pub platform: MediaPlatform,
    /// Its title.
    pub title: String,
    /// Its description.
    pub description: String,
    /// The athlete's price, including an agent's commission; the platform's fee is added.
    pub price_cents: Cents,
    /// The currency, `usd`.
    pub currency: String,
    /// The number of days from acceptance to delivery.
    pub delivery_days: i64,
    /// Whether it can be ordered.
    pub active: bool,
    /// When it was created.
    pub created_at: Time,
    /// When it was last changed.
    pub updated_at: Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_activities_by_the_same_word_and_have_a_category() {
        let categories = include_str!("../../assets/reference/job_categories.csv");
        for kind in ServiceKind::ALL {
            assert_eq!(kind.as_str(), kind.activity().as_str());
            let slug = format!(",{},", kind.category_slug());
            assert!(categories.contains(&slug), "{kind}");
        }
    }

    #[test]
    fn only_posts_have_no_usual_place() {
        for kind in ServiceKind::ALL {
            let posted = kind.as_str().starts_with("social_");
            assert_eq!(kind.usual_platform().is_none(), posted, "{kind}");
        }
    }
}
