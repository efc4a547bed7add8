//! The kinds of work that athletes do for brands.

use super::vocabulary::vocabulary;

vocabulary! {
    /// The kind of work.
    Activity {
        /// A post.
        SocialPost = "social_post",
        /// A story.
        SocialStory = "social_story",
        /// A reel or short video.
        SocialReelVideo = "social_reel_video",
        /// Content for the brand's own channels.
        UgcContent = "ugc_content",
        /// An appearance.
        Appearance = "appearance",
        /// Autographs.
        Autograph = "autograph",
        /// A photo shoot.
        PhotoShoot = "photo_shoot",
        /// A personal video message.
        VideoShoutout = "video_shoutout",
        /// A camp or clinic.
        CampClinic = "camp_clinic",
        /// A lesson.
        Lesson = "lesson",
        /// A talk.
        Speaking = "speaking",
        /// A podcast or an interview.
        PodcastInterview = "podcast_interview",
        /// Merchandise.
        Merchandise = "merchandise",
        /// Licensing for a royalty.
        LicensingRoyalty = "licensing_royalty",
        /// Affiliate links or codes.
        Affiliate = "affiliate",
        /// Testing a product.
        ProductSeeding = "product_seeding",
        /// Representing the brand.
        BrandAmbassador = "brand_ambassador",
        /// Licensing as a member of a group.
        GroupLicensing = "group_licensing",
        /// Charity work.
        Charity = "charity",
        /// Any other.
        Other = "other",
    }
}
